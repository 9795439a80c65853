# All images, from a clean clone; nothing else has to be installed:
#   docker build -t funding-observatory . && docker run --rm -p 8080:8080 funding-observatory
# runs everything in one container with simulated exchanges; -v observatory:/var/lib/observatory keeps its state, and
#   docker run --rm -p 8080:8080 funding-observatory run --data /var/lib/observatory
# uses live exchanges where one can be reached. The services apart, and the operator's tools:
#   docker build --target service --build-arg MODULE=gateway -t funding-observatory/gateway:1.0.0 .     (also ingest, streams)
#   docker build --target tools -t funding-observatory/tools:1.0.0 .
# --build-arg TRAIN=yes adds an archive of classes to a service; see the stage below.
ARG JDK_IMAGE=eclipse-temurin:25-jdk
ARG JRE_IMAGE=eclipse-temurin:25-jre

FROM ${JDK_IMAGE} AS build
WORKDIR /src
COPY . .
RUN ./mvnw -B -ntp -q -Dquick -Dmaven.test.skip=true -pl ingest,streams,gateway,standalone -am package \
 && java deploy/image/OnePlatform.java */target/lib

FROM ${JRE_IMAGE} AS base
LABEL org.opencontainers.image.title="Funding Observatory" \
      org.opencontainers.image.description="Funding rates of perpetual futures from 48 exchanges" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --system --gid 10001 observatory \
 && useradd --system --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin observatory \
 && mkdir -p /opt/observatory /var/lib/observatory \
 && chown observatory:observatory /opt/observatory /var/lib/observatory
WORKDIR /opt/observatory
COPY LICENSE deploy/image/train deploy/image/healthy deploy/image/serves ./
USER 10001:10001
# glibc keeps freed memory in an arena for each thread; two are enough.
ENV MALLOC_ARENA_MAX=2
EXPOSE 8080 8081

FROM base AS jars
ARG MODULE=gateway
COPY --from=build /src/${MODULE}/jvm.options ./
COPY --from=build /src/${MODULE}/target/lib lib
COPY --from=build /src/${MODULE}/target/${MODULE}.jar service.jar

# With TRAIN=yes: the classes that a start loads, parsed and linked beforehand, and what its methods do. The start takes a third of the
# time. It is learnt from half a minute of real work next to a whole installation with simulated exchanges, which stays in this stage. That
# takes 1.5 GB of memory and, on two free cores, about two minutes for each service: build one after the other. The archive holds for this
# JDK, these jars and these options alone; with others the JVM logs a line and starts without it.
FROM jars AS archive
ARG MODULE=gateway
ARG TRAIN=no
COPY --from=build /src/standalone/target/observatory.jar /tmp/observatory/
COPY --from=build /src/standalone/target/lib /tmp/observatory/lib
RUN mkdir trained && cp jvm.options trained/ && if [ "$TRAIN" = yes ]; then \
    ./train ${MODULE} /opt/observatory/service.jar jvm.options trained/service.aot /tmp/observatory/observatory.jar \
    && echo "-XX:AOTCache=/opt/observatory/service.aot" >> trained/jvm.options; fi

# One of the three services.
FROM jars AS service
COPY --from=archive /opt/observatory/trained/ ./
WORKDIR /var/lib/observatory
# Further options of the JVM go into _JAVA_OPTIONS, which the JVM reads itself, after the command line: no shell stands between it and a signal.
ENTRYPOINT ["java", "@/opt/observatory/jvm.options", "-jar", "/opt/observatory/service.jar"]

# The operator's tools: topics, access, receipt, backfill, simulate.
FROM base AS tools
COPY --from=build /src/standalone/jvm.options /src/standalone/run.options ./
COPY --from=build /src/standalone/target/lib lib
COPY --from=build /src/standalone/target/observatory.jar service.jar
WORKDIR /var/lib/observatory
ENTRYPOINT ["java", "@/opt/observatory/jvm.options", "-jar", "/opt/observatory/service.jar"]

# Everything in one process.
FROM tools AS observatory
VOLUME /var/lib/observatory
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s CMD ["/opt/observatory/healthy", "8081", "/health/readiness"]
ENTRYPOINT ["java", "@/opt/observatory/run.options", "-jar", "/opt/observatory/service.jar"]
CMD ["run", "--exchanges", "simulated", "--data", "/var/lib/observatory"]

package io.fundingobservatory.topics.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fields and constructor of a record type, and where its components have {@link Field}, its JSON Schema. */
final class RecordComponents<T extends Record> {
    private final Class<T> type;
    private final List<DeclaredField<T>> declared = new ArrayList<>();
    private final List<RecordField<T, ?>> fields = new ArrayList<>();

    RecordComponents(Class<T> type) {
        this.type = type;
        for (RecordComponent component : type.getRecordComponents()) {
            add(component);
        }
    }

    List<DeclaredField<T>> declared() {
        return List.copyOf(declared);
    }

    List<RecordField<T, ?>> fields() {
        return List.copyOf(fields);
    }

    private void add(RecordComponent component) {
        String name = component
                .getName()
                .replaceAll("([a-z0-9])([A-Z])|([a-z])([0-9])", "$1$3_$2$4")
                .toLowerCase(Locale.ROOT);
        Class<?> boxed = MethodType.methodType(component.getType()).wrap().returnType();
        boolean flag = boxed == Boolean.class;
        boolean required = !flag && !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        MethodHandle accessor = accessor(component);
        Function<T, @Nullable Object> value = record -> value(accessor, record, flag);
        fields.add(recordField(component, name, boxed, required, flag, value));
        Field about = component.getAnnotation(Field.class);
        if (about != null) {
            declared.add(new DeclaredField<>(name, boxed, required, flag, about, value));
        }
    }

    /** A flag that is not set is not written. */
    private static <T> @Nullable Object value(MethodHandle accessor, T record, boolean flag) {
        try {
            Object value = accessor.invokeExact((Object) record);
            return flag && Boolean.FALSE.equals(value) ? null : value;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("accessors of records throw nothing", e);
        }
    }

    @SuppressWarnings("unchecked") // the kind is that of the component's type
    private static <T> RecordField<T, ?> recordField(
            RecordComponent component,
            String name,
            Class<?> type,
            boolean required,
            boolean omitted,
            Function<T, @Nullable Object> value) {
        FieldKind<?> kind;
        if (type == String.class) {
            kind = required ? FieldKind.NON_BLANK : FieldKind.TEXT;
        } else if (type == BigDecimal.class) {
            kind = FieldKind.DECIMAL;
        } else if (type == Long.class) {
            kind = FieldKind.INTEGER;
        } else if (type == Boolean.class) {
            kind = FieldKind.BOOLEAN;
        } else if (type.isRecord()) {
            kind = FieldKind.record(part(type));
        } else if (type == List.class) {
            kind = FieldKind.list(part(((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]));
        } else {
            kind = words(type);
        }
        return new RecordField<>(name, value, (FieldKind<Object>) kind, required, omitted);
    }

    /** The codec of a record within the record. */
    private static JsonCodec<?> part(Type type) {
        return JsonCodec.stored(((Class<?>) type).asSubclass(Record.class));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // types other than enums have no constants and fail here
    private static FieldKind<?> words(Class<?> type) {
        return FieldKind.words((Class) type.asSubclass(Enum.class));
    }

    private static MethodHandle accessor(RecordComponent component) {
        try {
            return MethodHandles.publicLookup()
                    .unreflect(component.getAccessor())
                    .asType(MethodType.methodType(Object.class, Object.class));
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(component + " is not public", e);
        }
    }

    /** Makes a record of the values of all components in their order. */
    @SuppressWarnings("unchecked") // the constructor is that of the type
    JsonCodec.Values<T> constructor() {
        Class<?>[] types = Stream.of(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        MethodHandle constructor;
        try {
            constructor = MethodHandles.publicLookup()
                    .unreflectConstructor(type.getDeclaredConstructor(types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " is not public", e);
        }
        return values -> {
            for (int i = 0; i < types.length; i++) {
                if (values[i] == null && types[i] == boolean.class) {
                    values[i] = false;
                }
            }
            try {
                Object record = constructor.invokeExact(values);
                return (T) record;
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("constructors of records throw no checked exception", e);
            }
        };
    }

    /** The JSON Schema of the record. */
    byte[] schema(String path, String title, String description) {
        var out = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("$schema", "https://json-schema.org/draft/2020-12/schema");
            json.writeStringField("$id", path);
            json.writeStringField("title", title);
            json.writeStringField("description", description);
            json.writeStringField("type", "object");
            json.writeObjectFieldStart("properties");
            for (DeclaredField<T> field : declared) {
                json.writeObjectFieldStart(field.name());
                property(field, json);
                json.writeEndObject();
            }
            json.writeEndObject();
            json.writeArrayFieldStart("required");
            for (DeclaredField<T> field : declared) {
                if (!field.omitted()) {
                    json.writeString(field.name());
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void property(DeclaredField<?> field, JsonGenerator json) throws IOException {
        if (field.type() == Boolean.class) {
            json.writeBooleanField("const", true);
        } else if (field.type().isEnum()) {
            json.writeArrayFieldStart("enum");
            for (Object word : field.type().getEnumConstants()) {
                json.writeString(((Enum<?>) word).name().toLowerCase(Locale.ROOT));
            }
            if (!field.required()) {
                json.writeNull();
            }
            json.writeEndArray();
        } else {
            String type = field.type() == String.class ? "string" : field.type() == Long.class ? "integer" : "number";
            if (field.required()) {
                json.writeStringField("type", type);
            } else {
                json.writeArrayFieldStart("type");
                json.writeString(type);
                json.writeString("null");
                json.writeEndArray();
            }
        }
        json.writeStringField("description", field.about().value());
        if (field.type() == String.class && field.required()) {
            json.writeNumberField("minLength", 1);
        }
        if (!field.about().range().keyword.isEmpty()) {
            json.writeNumberField(field.about().range().keyword, 0);
        }
    }
}

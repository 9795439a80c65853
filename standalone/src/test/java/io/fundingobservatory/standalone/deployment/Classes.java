package io.fundingobservatory.standalone.deployment;

import io.fundingobservatory.testbed.Checkout;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the compiled services say: their texts, and the messages that they log. */
final class Classes {
    private static final List<String> MODULES = List.of("topics", "runtime", "ingest", "streams", "gateway");
    private static final String LOGGER = "Lorg/slf4j/Logger;";
    private static final Set<String> LEVELS = Set.of("info", "warn", "error");

    private Classes() {}

    /** Every text of the services. */
    static Set<String> texts() throws IOException {
        return textsOf(".class");
    }

    /** Every text of the services, by module. */
    static Map<String, Set<String>> textsByModule() throws IOException {
        var texts = new TreeMap<String, Set<String>>();
        for (String module : MODULES) {
            texts.put(module, textsOf(models(List.of(module), ".class")));
        }
        return texts;
    }

    /** Every text of the classes whose files end so: {@code carry/Coverage.class}. */
    static Set<String> textsOf(String end) throws IOException {
        Set<String> texts = textsOf(models(MODULES, end));
        if (texts.isEmpty()) {
            throw new AssertionError("no class ends with " + end);
        }
        return texts;
    }

    private static Set<String> textsOf(List<ClassModel> models) {
        var texts = new TreeSet<String>();
        for (ClassModel model : models) {
            model.constantPool().forEach(entry -> {
                if (entry instanceof StringEntry text) {
                    texts.add(text.stringValue());
                }
            });
        }
        return texts;
    }

    /** The first text given to each call of a logger at INFO, WARN or ERROR. */
    static Set<String> logged() throws IOException {
        var messages = new TreeSet<String>();
        for (ClassModel model : models(MODULES, ".class")) {
            for (MethodModel method : model.methods()) {
                method.code().ifPresent(code -> {
                    boolean logger = false;
                    String first = null;
                    for (CodeElement element : code) {
                        if (element instanceof FieldInstruction field
                                && field.typeSymbol().descriptorString().equals(LOGGER)) {
                            logger = true;
                            first = null;
                        } else if (logger && first == null && text(element) != null) {
                            first = text(element);
                        } else if (first != null
                                && element instanceof InvokeInstruction call
                                && call.owner().asInternalName().equals("org/slf4j/Logger")
                                && LEVELS.contains(call.name().stringValue())) {
                            messages.add(first);
                            logger = false;
                            first = null;
                        }
                    }
                });
            }
        }
        return messages;
    }

    private static @Nullable String text(CodeElement element) {
        return element instanceof ConstantInstruction constant && constant.constantValue() instanceof String text
                ? text
                : null;
    }

    private static List<ClassModel> models(List<String> modules, String end) throws IOException {
        var models = new ArrayList<ClassModel>();
        for (String module : modules) {
            Path classes = Checkout.ROOT.resolve(module).resolve("target/classes");
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(end)).toList()) {
                    models.add(ClassFile.of().parse(file));
                }
            }
        }
        return models;
    }
}

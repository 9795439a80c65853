package io.fundingobservatory.faults.planted;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.ConstantInstruction;

/** Mistakes that show only in running services: one text constant of a method is another one. The {@link Agent} plants them, by name. */
public enum Bug {
    /** Streams commits offsets and rows each for itself. */
    AT_LEAST_ONCE("streams/StreamsConfiguration", "of", "exactly_once_v2", "at_least_once"),
    /** The gateway shows what may still be aborted. */
    READS_UNCOMMITTED("gateway/publishing/TableFollower", "properties", "read_committed", "read_uncommitted");

    private final String owner;
    private final String method;
    private final String right;
    private final String wrong;

    Bug(String owner, String method, String right, String wrong) {
        this.owner = owner;
        this.method = method;
        this.right = right;
        this.wrong = wrong;
    }

    /** With slashes. */
    String className() {
        return "io/fundingobservatory/" + owner;
    }

    /** The class file with the mistake; an error where the method has no such constant. */
    byte[] planted(byte[] classFile) {
        var found = new int[1];
        byte[] changed = ClassFile.of()
                .transformClass(
                        ClassFile.of().parse(classFile),
                        ClassTransform.transformingMethodBodies(
                                each -> each.methodName().equalsString(method), (code, element) -> {
                                    if (element instanceof ConstantInstruction constant
                                            && constant.constantValue().equals(right)) {
                                        found[0]++;
                                        code.loadConstant(wrong);
                                    } else {
                                        code.with(element);
                                    }
                                }));
        if (found[0] == 0) {
            throw new IllegalStateException(owner + "." + method + " has no " + right);
        }
        return changed;
    }
}

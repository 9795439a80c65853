package io.fundingobservatory.faults.planted;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;

/** One change of a class file, made when the class is loaded: the product's code has no switch for it. */
public sealed interface Patch {
    /** Added to the name of a method that was replaced; under it the sound one is still there. */
    String SOUND = "$sound";

    /** The class that is changed, as {@code a.b.C}. */
    String owner();

    /** The changed class file. */
    byte[] applied(byte[] classFile);

    /**
     * A method is replaced by a static one of {@link Bugs}, which takes the same arguments; that of an instance comes first, as an
     * {@code Object}.
     */
    record Replaced(String owner, String method, String by) implements Patch {
        private static final ClassDesc BUGS = ClassDesc.of(Bugs.class.getName());

        @Override
        public byte[] applied(byte[] classFile) {
            ClassModel model = ClassFile.of().parse(classFile);
            var found = new int[1];
            byte[] changed = ClassFile.of().transformClass(model, (builder, element) -> {
                if (element instanceof MethodModel each
                        && each.methodName().equalsString(method)
                        && !each.flags().has(AccessFlag.SYNTHETIC)) {
                    found[0]++;
                    builder.withMethod(
                            method + SOUND,
                            each.methodTypeSymbol(),
                            each.flags().flagsMask(),
                            body -> each.forEach(body));
                    replace(builder, each);
                } else {
                    builder.with(element);
                }
            });
            if (found[0] != 1) {
                throw new IllegalStateException(owner + " has " + found[0] + " methods " + method);
            }
            return changed;
        }

        private void replace(java.lang.classfile.ClassBuilder builder, MethodModel each) {
            MethodTypeDesc type = each.methodTypeSymbol();
            boolean isStatic = each.flags().has(AccessFlag.STATIC);
            MethodTypeDesc called = isStatic ? type : type.insertParameterTypes(0, ConstantDescs.CD_Object);
            builder.withMethodBody(method, type, each.flags().flagsMask() & ~ClassFile.ACC_SYNCHRONIZED, code -> {
                if (!isStatic) {
                    code.aload(0);
                }
                for (int i = 0; i < type.parameterCount(); i++) {
                    code.loadLocal(TypeKind.from(type.parameterType(i)), code.parameterSlot(i));
                }
                code.invokestatic(BUGS, by, called);
                code.return_(TypeKind.from(type.returnType()));
            });
        }
    }

    /** A constant of a method's code is another one; both are of one type. */
    record Constant(String owner, String method, Object from, Object to) implements Patch {
        @Override
        public byte[] applied(byte[] classFile) {
            ClassModel model = ClassFile.of().parse(classFile);
            var found = new int[1];
            byte[] changed = ClassFile.of()
                    .transformClass(
                            model,
                            ClassTransform.transformingMethodBodies(
                                    each -> each.methodName().equalsString(method), (code, element) -> {
                                        if (element instanceof ConstantInstruction constant
                                                && constant.constantValue().equals(from)) {
                                            found[0]++;
                                            code.loadConstant((java.lang.constant.ConstantDesc) to);
                                        } else {
                                            code.with(element);
                                        }
                                    }));
            if (found[0] == 0) {
                throw new IllegalStateException(owner + "." + method + " has no " + from);
            }
            return changed;
        }
    }
}

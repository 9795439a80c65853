package io.fundingobservatory.standalone.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes that ship, read once for all rules, with the interfaces of libraries that they implement. */
public final class Imported {
    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            // Once packaged, the tests of standalone are in a test jar, which the option above does not know.
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.fundingobservatory");

    private Imported() {}

    /** The classes of one module, by its package. */
    public static JavaClasses in(String module) {
        return ALL.that(resideInAPackage(module + ".."));
    }
}

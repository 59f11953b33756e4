# The CMake package: find_package(attest) gives attest::support, attest::expr, attest::arith, attest::claim,
# attest::certificate, attest::verdict, all of them together as attest::core, and attest::reparam, attest::model,
# attest::reports.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/attest)

add_library(attest_core INTERFACE)
add_library(attest::core ALIAS attest_core)
target_link_libraries(attest_core INTERFACE attest_core_verdict attest_core_certificate attest_core_claim attest_core_arith
                                            attest_core_expr attest_core_support)
set_target_properties(attest_core PROPERTIES EXPORT_NAME core)

get_property(libraries GLOBAL PROPERTY ATTEST_LIBRARIES)
install(TARGETS ${libraries} attest_core EXPORT attestTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT attestTargets NAMESPACE attest:: DESTINATION ${package_folder})
if(TARGET attest)
  install(TARGETS attest RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/attestConfig.cmake.in ${PROJECT_BINARY_DIR}/attestConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/attestConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/attestConfig.cmake ${PROJECT_BINARY_DIR}/attestConfigVersion.cmake
              cmake/dependencies.cmake DESTINATION ${package_folder})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# warpwise_simulate(target): the executable `target`, which has CUDA sources, runs on the simulated GPU.
# See docs/run-without-gpu.md.
function(warpwise_simulate target)
  get_target_property(architectures ${target} CUDA_ARCHITECTURES)
  if(NOT architectures MATCHES "^[0-9]+-virtual$")
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES 75-virtual)  # PTX alone
  endif()
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY None)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--no-compress -lineinfo>)
  target_link_libraries(${target} PRIVATE warpwise::runtime)
endfunction()

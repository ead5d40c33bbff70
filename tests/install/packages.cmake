# Packages for the stranger, made by the installed program: cmake -DDETENT=... -DPLACE=... -P packages.cmake
foreach(pair "holds:diamond" "races:bad_reuse_war")
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 model)
  execute_process(COMMAND ${DETENT} graph ${model} -o ${PLACE}/${name}.json COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${DETENT} import graph ${PLACE}/${name}.json -o ${PLACE}/${name}.pkg
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# What is known of them, as baselines.
execute_process(COMMAND ${DETENT} verify ${PLACE}/holds.json --quiet --json ${PLACE}/nothing.json COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${DETENT} verify ${PLACE}/races.json --quiet --json ${PLACE}/known.json)

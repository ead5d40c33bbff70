# Laws of app/: a run and the line that repeats it.
detent_test(app_properties app/replay_law.cpp LINK detent_laws detent_app LABELS properties)

// timeline

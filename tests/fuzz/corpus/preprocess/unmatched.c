#if 0 && (1 / 0)
#elif 1

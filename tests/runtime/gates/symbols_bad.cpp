// What target code must not do: shows that the symbols gate finds it.
int *take_from_heap(int value) { return new int(value); }

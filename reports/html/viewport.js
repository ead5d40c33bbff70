// viewport

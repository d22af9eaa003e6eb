/** Loads the slowest part of React as a separate file, so that it starts in a task of its own. */
export { createRoot, hydrateRoot } from 'react-dom/client'

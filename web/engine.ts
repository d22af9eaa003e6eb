/** The part of React that takes longest to get ready. As a file of the build's own, it does so in a task of its own. */
export { createRoot, hydrateRoot } from 'react-dom/client'

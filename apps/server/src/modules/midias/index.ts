export { midiasRoutes } from './routes.ts'

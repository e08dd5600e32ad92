export { pushRoutes } from './routes.ts'
export { pushJob } from './send-notices.ts'
export { trackOpened } from './opened.ts'

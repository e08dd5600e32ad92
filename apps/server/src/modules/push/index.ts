export { pushRoutes } from './routes.ts'
export { pushJob } from './job.ts'
export { trackOpened } from './opened.ts'

export { CountsAnnouncer } from './announce-counts.ts'
export { isHidden, readMarks, withMarks } from './marks.ts'
export { endReminders } from './reminders.ts'
export { markRoutes } from './routes.ts'

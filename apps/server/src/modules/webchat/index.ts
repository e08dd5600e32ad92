export { createChatFeed } from './feed.ts'
export { deleteExpiredVisitors } from './repository.ts'
export { webchatRoutes } from './routes.ts'

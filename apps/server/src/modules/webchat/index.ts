export { createChatFeed } from './messages/feed.ts'
export { deleteExpiredVisitors } from './repository.ts'
export { webchatRoutes } from './routes.ts'
export { serveChat } from './serve-chat.ts'

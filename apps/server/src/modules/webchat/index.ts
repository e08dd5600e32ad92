export { createChatFeed } from './messages/feed.ts'
export { deleteExpiredVisitors, deleteWebchat } from './repository.ts'
export { webchatRoutes } from './routes.ts'
export { serveChat } from './serve-chat.ts'

export { type TagChange, tagContatos } from './etiquetas/tag-contatos.ts'
export { contatosRoutes } from './routes.ts'

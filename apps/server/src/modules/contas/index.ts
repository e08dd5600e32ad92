export { listUsuarioNames } from './usuarios.ts'

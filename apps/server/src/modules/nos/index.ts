export { NodeRegistry } from './registry.ts'
export { listNodes } from './repository.ts'

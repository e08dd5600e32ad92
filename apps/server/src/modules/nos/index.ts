export { FleetMember } from './fleet-member.ts'
export { NodeRegistry } from './registry.ts'
export { listNodes } from './repository.ts'

export { FleetMember, nodesJob } from './fleet-member.ts'
export { TaskLeader } from './leader-tasks.ts'
export { NodeRegistry } from './registry.ts'
export { listNodes } from './repository.ts'

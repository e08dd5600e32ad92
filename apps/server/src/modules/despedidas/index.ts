export { cancelFarewell, deleteDueFarewells, scheduleFarewell } from './repository.ts'
export { sendDueFarewells } from './send-due.ts'

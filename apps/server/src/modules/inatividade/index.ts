export { runSilenceTimers } from './silence.ts'

export { runSilenceTimers, type SilenceDeps } from './silence.ts'

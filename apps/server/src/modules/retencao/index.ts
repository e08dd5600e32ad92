export { createFaxina } from './faxina.ts'

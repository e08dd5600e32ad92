export { addAvisos, AVISO_DAYS, deleteOldAvisos, markReadOfConversa } from './avisos.ts'
export { avisosRoutes } from './routes.ts'

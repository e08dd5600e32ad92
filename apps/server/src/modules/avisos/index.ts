export { addAvisos, AVISO_DAYS, deleteOldAvisos, markReadOfConversa, type NewAviso } from './avisos.ts'
export { avisosRoutes } from './routes.ts'

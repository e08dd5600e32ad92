export { devolverAFila } from './devolver-a-fila.ts'
export { atendimentoRoutes } from './routes.ts'
/** @public */
export {
  type EnviarDeps,
  enviarComoOperador,
  type EnvioDeOperador,
  type MensagemEnviada,
} from './enviar-como-operador.ts'

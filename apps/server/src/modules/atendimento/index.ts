export { devolverAFila } from './devolver-a-fila.ts'
export { atendimentoRoutes } from './routes.ts'
export { conferirEnvio } from './conferir-envio.ts'
export { type EnviarDeps, enviarComoOperador, type MensagemEnviada } from './enviar-como-operador.ts'

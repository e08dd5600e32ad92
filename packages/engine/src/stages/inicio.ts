import type { MensagemCliente } from '#event.ts'
import { ehGatilho } from '#rules/gatilhos.ts'
import { acharTitulo } from '#rules/opcoes.ts'
import { comando } from '#rules/texto.ts'
import { dizer, mostrarMenu, type Resultado, type Turno } from '#turno.ts'
import { chamarAtendente } from './humano.ts'
import { perguntar } from './ia.ts'
import { escolher } from './menu.ts'

/**
 * The first message, or the first after a long silence: the greeting, then the menu. An option's title, a trigger or a hand-off
 * word, when it is the whole text, is obeyed after the greeting; a number is not, for no menu was shown yet.
 */
export function noInicio(anterior: Turno, evento: MensagemCliente): Resultado {
  const turno: Turno = { ...anterior, memoria: { ...anterior.memoria, erros: 0, pergunta: null } }
  const boasVindas = dizer(turno, turno.contexto.config.menu.mensagens.boasVindas)
  const obedecido = obedecer(turno, evento)
  if (obedecido === null) return mostrarMenu(turno, boasVindas)
  return { ...obedecido, effects: [...boasVindas, ...obedecido.effects] }
}

function obedecer(turno: Turno, evento: MensagemCliente): Resultado | null {
  const { menu, ia } = turno.contexto.config
  if (comando(evento.texto) === 'atendente') return chamarAtendente(turno, 'geral', '')
  const opcao = acharTitulo(menu.opcoes, evento.texto)
  if (opcao !== null) return escolher(turno, opcao)
  if (turno.contexto.iaDisponivel && ehGatilho(ia.gatilhos, evento.texto)) return perguntar(turno, evento, 'ia')
  return null
}

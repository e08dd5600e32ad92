import { type BotEffect, texto } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { FRASES } from '#frases.ts'
import { ehGatilho } from '#rules/gatilhos.ts'
import { acharTitulo } from '#rules/opcoes.ts'
import { comando } from '#rules/texto.ts'
import { dizer, mostrarMenu, type Resultado, type Turno } from '#turno.ts'
import { chamarAtendente } from './humano.ts'
import { iaLe, perguntar } from './ia.ts'
import { escolher } from './menu.ts'

/**
 * Handles the first message, or the first after a long silence: greeting, then menu. A text equal to a title,
 * trigger or hand-off word is obeyed after the greeting. A number is not, because the customer has not seen the
 * menu.
 */
export function noInicio(anterior: Turno, evento: MensagemCliente): Resultado {
  const { turno, ditas } = chegar({ ...anterior, memoria: { ...anterior.memoria, erros: 0, pergunta: null } })
  const obedecido = obedecer(turno, evento)
  if (obedecido === null) return mostrarMenu(turno, [...ditas, ...ouvir(turno, evento)])
  return { ...obedecido, effects: [...ditas, ...obedecido.effects] }
}

/** Sends greeting and menu for any message. */
export function saudar(anterior: Turno): Resultado {
  const { turno, ditas } = chegar(anterior)
  return mostrarMenu(turno, ditas)
}

function chegar(turno: Turno): { readonly turno: Turno; readonly ditas: readonly BotEffect[] } {
  const { contexto, memoria, agora } = turno
  const ditas = dizer(turno, contexto.config.menu.mensagens.boasVindas)
  const aviso = memoria.avisadoEm === null ? dizer(turno, contexto.avisoPrivacidade ?? '') : []
  if (aviso.length === 0) return { turno, ditas }
  return {
    turno: { ...turno, memoria: { ...memoria, avisadoEm: agora } },
    ditas: [...ditas, ...aviso, { tipo: 'registrarConsentimento', ato: 'aviso' }],
  }
}

/**
 * Media without text that the AI cannot read gets a hint that the bot reads only text. A sticker counts as a
 * greeting.
 */
function ouvir(turno: Turno, evento: MensagemCliente): BotEffect[] {
  const semPalavras = evento.midia !== undefined && evento.midia !== 'figurinha' && evento.texto.trim() === ''
  return semPalavras && !iaLe(turno, evento) ? [texto(FRASES.soTexto)] : []
}

function obedecer(turno: Turno, evento: MensagemCliente): Resultado | null {
  const { menu, ia } = turno.contexto.config
  const ordem = comando(evento.texto)
  if (ordem === 'atendente') return chamarAtendente(turno, 'geral', '')
  // The menu follows the greeting anyway; an option or trigger called `menu` must not replace it.
  if (ordem === 'menu') return null
  const opcao = acharTitulo(menu.opcoes, evento.texto)
  if (opcao !== null) return escolher(turno, opcao)
  if (turno.contexto.iaDisponivel && ehGatilho(ia.gatilhos, evento.texto)) return perguntar(turno, evento, 'ia')
  return null
}

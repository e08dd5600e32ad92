import type { OpcaoMenu } from '@balcao/contract/entities/config'
import { type BotEffect, texto } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { FRASES } from '#frases.ts'
import { temGatilho } from '#rules/gatilhos.ts'
import { acharOpcao, ehNumero } from '#rules/opcoes.ts'
import { dizer, dizerAlgum, encerrada, mostrarMenu, type Resultado, type Turno } from '#turno.ts'
import { chamarAtendente } from './humano.ts'
import { entrarNaIa, perguntar } from './ia.ts'
import { entrarNaLoja } from './loja.ts'

/** Tries an exact option, then a trigger, then `sempreResponder`. Returns null if none applies. */
export function entender(turno: Turno, evento: MensagemCliente): Resultado | null {
  const { menu, ia } = turno.contexto.config
  const opcao = acharOpcao(menu.opcoes, evento.texto)
  if (opcao !== null) return escolher({ ...turno, memoria: { ...turno.memoria, erros: 0 } }, opcao)
  if (!turno.contexto.iaDisponivel || ehNumero(evento.texto)) return null
  if (temGatilho(ia.gatilhos, evento.texto)) return perguntar(turno, evento, 'ia')
  return ia.comportamentos.sempreResponder ? perguntar(turno, evento, 'menu') : null
}

export function noMenu(turno: Turno, evento: MensagemCliente): Resultado {
  const { opcaoInvalida, semEntender } = turno.contexto.config.menu.mensagens
  return entender(turno, evento) ?? errou(turno, ehNumero(evento.texto) ? opcaoInvalida : semEntender)
}

export function escolher(turno: Turno, opcao: OpcaoMenu): Resultado {
  const { mensagens } = turno.contexto.config.menu
  switch (opcao.tipo) {
    case 'ia':
      return entrarNaIa(turno, opcao.resposta)
    case 'humano':
      return chamarAtendente(turno, opcao.setor ?? 'geral', opcao.resposta)
    case 'mensagem': {
      const resposta = dizer(turno, opcao.resposta)
      // An option without reply shows the menu, so that the customer gets an answer.
      if (resposta.length === 0) return mostrarMenu(turno)
      return { state: { ...turno.memoria, etapa: 'menu', pergunta: null }, effects: resposta }
    }
    case 'menu':
      return mostrarMenu(turno, dizer(turno, opcao.resposta))
    case 'loja':
      return entrarNaLoja(turno, opcao.resposta)
    case 'finalizar': {
      const adeus = dizerAlgum(turno, mensagens.despedida, FRASES.ateLogo)
      return { state: encerrada(turno), effects: [...adeus, { tipo: 'finalizarConversa' }] }
    }
  }
}

/** Not understood: the given text, the menu, and after `tentativas` times in a row the offer of a person. */
function errou(turno: Turno, frase: string): Resultado {
  const erros = turno.memoria.erros + 1
  const oferece = erros >= turno.contexto.config.menu.tentativas
  const resultado = mostrarMenu(
    { ...turno, memoria: { ...turno.memoria, erros: oferece ? 0 : erros } },
    dizer(turno, frase),
  )
  const oferta: BotEffect[] = oferece ? [texto(FRASES.oferecerAtendente)] : []
  return { ...resultado, effects: [...resultado.effects, ...oferta] }
}

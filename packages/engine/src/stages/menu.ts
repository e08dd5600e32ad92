import type { OpcaoMenu } from '@balcao/contract/entities/config'
import { type BotEffect, texto } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { FRASES } from '#frases.ts'
import { temGatilho } from '#rules/gatilhos.ts'
import { acharOpcao, lerNumero, soDigitos } from '#rules/opcoes.ts'
import { dizer, mostrarMenu, type Resultado, type Turno } from '#turno.ts'
import { chamarAtendente } from './humano.ts'
import { entrarNaIa, perguntar } from './ia.ts'
import { entrarNaLoja } from './loja.ts'

/** An exact option, then a trigger, then `sempreResponder`, then not understood. */
export function noMenu(turno: Turno, evento: MensagemCliente): Resultado {
  const { menu, ia } = turno.contexto.config
  const opcao = acharOpcao(menu.opcoes, evento.texto)
  if (opcao !== null) return escolher({ ...turno, memoria: { ...turno.memoria, erros: 0 } }, opcao)
  if (lerNumero(evento.texto) !== null || soDigitos(evento.texto)) return errou(turno, menu.mensagens.opcaoInvalida)
  if (turno.contexto.iaDisponivel) {
    if (temGatilho(ia.gatilhos, evento.texto)) return perguntar(turno, evento, 'ia')
    if (ia.comportamentos.sempreResponder) return perguntar(turno, evento, 'menu')
  }
  return errou(turno, menu.mensagens.semEntender)
}

/** What each kind of option does (decisions §3, "Option kinds"). */
export function escolher(turno: Turno, opcao: OpcaoMenu): Resultado {
  const { mensagens } = turno.contexto.config.menu
  switch (opcao.tipo) {
    case 'ia':
      return entrarNaIa(turno, opcao.resposta)
    case 'humano':
      return chamarAtendente(turno, opcao.setor ?? 'geral', opcao.resposta)
    case 'mensagem': {
      const resposta = dizer(turno, opcao.resposta)
      // An option without a reply must not leave the customer in silence.
      if (resposta.length === 0) return mostrarMenu(turno)
      return { state: { ...turno.memoria, etapa: 'menu', pergunta: null }, effects: resposta }
    }
    case 'menu':
      return mostrarMenu(turno, dizer(turno, opcao.resposta))
    case 'loja':
      return entrarNaLoja(turno, opcao.resposta)
    case 'finalizar': {
      const adeus = dizer(turno, mensagens.despedida)
      const frase = adeus.length > 0 ? adeus : [texto(FRASES.semNota)]
      return {
        state: { ...turno.memoria, etapa: 'encerrada', desde: turno.agora, pergunta: null },
        effects: [...frase, { tipo: 'finalizarConversa' }],
      }
    }
  }
}

/** A miss: what went wrong, the menu again and, when they add up, a person. */
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

import type { BotEffect } from '#effect.ts'
import { FRASES } from '#frases.ts'
import { estaAberto, periodoFechado } from '#rules/horario.ts'
import { dizer, dizerAlgum, type Resultado, type Turno } from '#turno.ts'

/** Puts the customer in the queue for people. Outside opening hours the bot first says so, once per closed period. */
export function chamarAtendente(turno: Turno, setorPedido: string, frase: string): Resultado {
  const { atendimento, menu } = turno.contexto.config
  const setor = atendimento.setores.find(({ id, ativo }) => id === setorPedido && ativo)?.id ?? 'geral'
  const fora: BotEffect[] = []
  let { foraPeriodoDito } = turno.memoria
  if (!estaAberto(atendimento.horario, turno.agora)) {
    const periodo = periodoFechado(atendimento.horario, turno.agora)
    if (periodo !== foraPeriodoDito) fora.push(...dizer(turno, menu.mensagens.foraPeriodo))
    foraPeriodoDito = periodo
  }
  const chamada = dizerAlgum(turno, frase, menu.mensagens.aguardandoAtendente, FRASES.chamando)
  return {
    state: { ...turno.memoria, etapa: 'humano', setor, erros: 0, pergunta: null, foraPeriodoDito },
    effects: [...fora, ...chamada, { tipo: 'abrirConversaHumana', setor }],
  }
}

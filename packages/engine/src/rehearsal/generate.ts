import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Intervalo } from '@balcao/contract/entities/config'
import type { BotContext } from '#context.ts'
import type { Expected } from '#ia/exam.ts'
import { groupWeekdays, type WeekdayGroup } from '#rules/horario.ts'
import { formatReais } from '#rules/loja.ts'
import { TRICKS } from './tricks.ts'

/** A question that follows from the settings. The same `chave` is the same question, also with other texts. */
export interface GeneratedProva extends Expected {
  readonly chave: string
  readonly pergunta: string
}

/**
 * The built-in tricks, then one question for each opening time, each active setor and the price of each produto. The
 * order decides which ones stay out above the limit of an account.
 */
export function generateProvas({ config, produtos }: Pick<BotContext, 'config' | 'produtos'>): GeneratedProva[] {
  const { setores, horario } = config.atendimento
  return [
    ...TRICKS.map(({ chave, pergunta, naoContem }) => ({
      ...{ chave: `truque:${chave}`, pergunta, contem: [], naoContem: [...naoContem] },
    })),
    ...groupWeekdays(horario).flatMap(questionsOfGroup),
    ...setores
      .filter(({ ativo }) => ativo)
      .map(({ id, nome }) => ({
        ...{ chave: `setor:${id}`, contem: [], naoContem: [], transfere: true },
        pergunta: id === SETOR_GERAL ? 'Quero falar com um atendente' : `Quero falar com o setor ${nome}`,
      })),
    ...produtos
      .filter(({ preco }) => preco > 0)
      .map(({ id, nome, preco }) => ({
        ...{ chave: `produto:${id}`, pergunta: `Quanto custa ${nome}?` },
        ...{ contem: [formatReais(preco)], naoContem: [] },
      })),
  ]
}

/** The first day names the group, so that the question stays the same when the shop adds a day at its end. */
function questionsOfGroup({ dias, intervalos, nome }: WeekdayGroup): GeneratedProva[] {
  return intervalos.map((interval, index) => {
    const before = intervalos[index - 1]
    const pause = before === undefined ? '' : ` depois da pausa das ${before.fim}`
    return {
      chave: `horario:${dias[0] ?? ''}:${index}`,
      pergunta: `Qual é o horário de atendimento de ${nome}${pause}?`,
      ...{ contem: spokenTimes(interval), naoContem: [] },
    }
  })
}

/** Midnight has too many names to be expected. */
function spokenTimes({ inicio, fim }: Intervalo): string[] {
  const times = [inicio, fim].filter((time) => time !== '00:00' && time !== '24:00')
  return times.length === 0 ? ['24 horas'] : times
}

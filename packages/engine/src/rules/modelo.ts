import type { BotContext } from '#context.ts'
import type { Contato } from '#event.ts'
import { emData, emHora } from './data-e-hora.ts'
import { descreverHorario, localDe } from './horario.ts'

interface Valores {
  readonly contexto: BotContext
  readonly contato: Contato
  readonly agora: number
  readonly protocolo: string
}

const NOME_NO_COMECO = /^\{nome\}[,!]? ?/gm
const VARIAVEL = /(,? ?)\{(nome|telefone|empresa|protocolo|data|hora|horario)\}/g

/**
 * Fills `{nome}`, `{telefone}`, `{empresa}`, `{protocolo}`, `{data}`, `{hora}` and `{horario}` in one pass. Values
 * are not filled again and other braces stay. An unknown name is removed with its comma: 'Olá, {nome}!' gives
 * 'Olá!'.
 */
export function preencher(texto: string, valores: Valores): string {
  if (!texto.includes('{')) return texto
  const semNome = valores.contato.nome.trim() === ''
  return (semNome ? texto.replace(NOME_NO_COMECO, '') : texto).replace(
    VARIAVEL,
    (_tudo, antes: string, nome: string) => {
      const valor = valorDe(nome, valores)
      return nome === 'nome' && valor === '' ? '' : `${antes}${valor}`
    },
  )
}

function valorDe(nome: string, { contexto, contato, agora, protocolo }: Valores): string {
  const { horario } = contexto.config.atendimento
  switch (nome) {
    case 'nome':
      return contato.nome.trim()
    case 'telefone':
      return contato.telefone
    case 'empresa':
      return contexto.empresa
    case 'protocolo':
      return protocolo
    case 'data':
      return emData(localDe(agora, horario.fuso).data)
    case 'hora':
      return emHora(localDe(agora, horario.fuso).minuto)
    default:
      return descreverHorario(horario)
  }
}

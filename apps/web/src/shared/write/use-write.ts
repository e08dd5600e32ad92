import { CONNECTORS, hasNumber } from '@balcao/contract/connectors'
import type { Contato } from '@balcao/contract/entities/contato'
import type { Linha } from '@balcao/contract/entities/linha'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { iniciarConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import { type SubmitEvent, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { useReadableLinhas } from '#shared/conta/linha-look.ts'
import { useBotStatus } from '#shared/data/bot-status.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import { useContatoSearch } from './contato-choice.tsx'

interface Fields {
  readonly quem: string
  readonly contato: Contato | null
  readonly nome: string
  /** Empty: the server chooses. */
  readonly setor: string
  /** Empty: the line of the contato's last conversa. */
  readonly linha: string
  readonly mensagem: string
}

interface Refusal {
  readonly text: string
  readonly conversaId?: string | undefined
  readonly janelaFechada: boolean
  /** The number was erased at the customer's request. */
  readonly apagado: boolean
  /** The contato is known only in the chat on the site. */
  readonly naoEscreve: boolean
}

type FieldErrors = Readonly<Partial<Record<'quem' | 'mensagem', string>>>

const DIGITS_MIN = 8
const NOT_A_NUMBER = /[^\d\s()+.-]/

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

function isNumber({ contato, quem }: Fields): boolean {
  return contato === null && !NOT_A_NUMBER.test(quem) && digitsOf(quem).length >= DIGITS_MIN
}

/** True if the service has a reply window and the customer has surely not written in it. */
function useWindowClosed({ contato, linha }: Fields, isNew: boolean, linhas: readonly Linha[]): boolean {
  const { bot } = useBotStatus()
  const { conector } = linhas.find(({ id }) => id === linha) ?? bot
  const [now] = useState(() => Date.now())
  const hours = conector === undefined ? null : CONNECTORS[conector].replyWindowHours
  if (hours === null) return false
  if (contato === null) return isNew
  return now - Date.parse(contato.ultimaAtividade) > hours * 3_600_000
}

function askedToStop({ contato, quem }: Fields, found: readonly Contato[]): boolean {
  const number = digitsOf(quem).slice(-DIGITS_MIN)
  const same = contato ?? found.find(({ telefone }) => telefone.endsWith(number))
  return same?.pediuParada === true
}

function refusalOf(error: unknown, manyLinhas: boolean): Refusal {
  const { codigo, dados } = error instanceof ApiError ? error : { codigo: '', dados: {} }
  const { operador, conversaId } = dados
  const open = operador === undefined ? 'e espera por uma pessoa' : `com ${operador}`
  const where = manyLinhas ? ' nesta linha' : ''
  return {
    text:
      codigo === 'conversaAberta' ? `Este contato já tem uma conversa aberta${where} ${open}.` : errorMessage(error),
    conversaId,
    janelaFechada: codigo === 'janelaFechada',
    apagado: codigo === 'contatoApagado',
    naoEscreve: codigo === 'linhaNaoEscreve',
  }
}

export interface WriteInput {
  /** Null: the person chooses. */
  readonly contato: Contato | null
  readonly setor: string
  readonly onOpened: (conversa: Conversa) => void
  readonly onShow: (conversaId: string) => void
  readonly onClose: () => void
}

export type WriteForm = ReturnType<typeof useWrite>

export function useWrite({ contato: given, setor, onOpened, onShow, onClose }: WriteInput) {
  const [fields, setFields] = useState<Fields>({ quem: '', contato: given, nome: '', setor, linha: '', mensagem: '' })
  const [errors, setErrors] = useState<FieldErrors>({})
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  useFocusInvalid(errors)
  const search = useContatoSearch(fields.contato === null ? fields.quem : '')
  const typed = isNumber(fields)
  // On the chat of the site the customer writes first.
  const usable = useReadableLinhas().filter(({ ativa, conector }) => ativa && hasNumber(conector))
  const linhas = usable.length > 1 ? usable : []
  const windowClosed = useWindowClosed(fields, typed, linhas)

  const start = async (mensagem: string, conferirApagado = true): Promise<void> => {
    const { contato, quem, nome } = fields
    if (contato === null && quem.trim() === '') return setErrors({ quem: 'Escolha um contato ou digite o telefone' })
    const who = contato === null ? { telefone: quem, nome, conferirApagado } : { contatoId: contato.id }
    const chosen = {
      ...(fields.setor === '' ? {} : { setor: fields.setor }),
      ...(fields.linha === '' ? {} : { linhaId: fields.linha }),
    }
    const said = mensagem.trim() === '' ? {} : { mensagem }
    setBusy(true)
    setRefusal(null)
    try {
      const { conversa } = await call(iniciarConversaRoute, { body: { ...who, ...chosen, ...said } })
      onClose()
      onOpened(conversa)
    } catch (error) {
      const detail =
        error instanceof ApiError ? error.dados.detalhes?.find(({ caminho }) => caminho === 'telefone') : undefined
      if (detail === undefined) setRefusal(refusalOf(error, linhas.length > 0))
      else setErrors({ quem: detail.mensagem })
    } finally {
      setBusy(false)
    }
  }
  return {
    ...{ fields, errors, refusal, busy, windowClosed, linhas, isNumber: typed },
    ...search,
    stopped: askedToStop(fields, typed ? search.found : []),
    change: (changed: Partial<Fields>): void => {
      setFields({ ...fields, ...changed })
      setErrors({})
      setRefusal(null)
    },
    submit: async (event: SubmitEvent): Promise<void> => {
      event.preventDefault()
      if (!busy) await start(fields.mensagem)
    },
    openWithoutMessage: () => start('', false),
    openErased: () => start(fields.mensagem, false),
    openExisting: (): void => {
      if (refusal?.conversaId === undefined) return
      onClose()
      onShow(refusal.conversaId)
    },
  }
}

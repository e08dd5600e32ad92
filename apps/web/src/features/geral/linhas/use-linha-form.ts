import { CORES_SETOR, type CorSetor } from '@balcao/contract/constants'
import type { ConectorTipo } from '@balcao/contract/connectors'
import type { Linha } from '@balcao/contract/entities/linha'
import { atualizarLinhaRoute, criarLinhaRoute } from '@balcao/contract/routes/linhas'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { patchLinha, refreshLinhas, useLinhas } from '#shared/conta/linhas.ts'
import { refreshBotStatus } from '#shared/data/bot-status.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { changedFields, type FormErrors } from '#shared/form/use-config-form.ts'

export interface LinhaFields {
  readonly nome: string
  readonly conector: ConectorTipo
  readonly cor: CorSetor
  readonly setor: string
  readonly ativa: boolean
}

interface LineLimit {
  readonly usado: number | undefined
  readonly limite: number | undefined
}

const fieldsOf = ({ nome, conector, cor, setor, ativa }: Linha): LinhaFields => ({ nome, conector, cor, setor, ativa })

/** The first colour that no line has, so that lines differ in the inbox. */
function freeColor(linhas: readonly Linha[]): CorSetor {
  return CORES_SETOR.find((cor) => linhas.every((linha) => linha.cor !== cor)) ?? 'blue'
}

function linhaErrorsOf(error: unknown): FormErrors {
  if (!(error instanceof ApiError)) return { geral: errorMessage(error) }
  if (error.codigo === 'linhaExiste') return { nome: error.message }
  if (error.codigo === 'botRodando') return { conector: error.message }
  if (error.codigo === 'setorDesconhecido') return { setor: error.message }
  const detail = error.dados.detalhes?.find(({ caminho }) => ['nome', 'conector', 'setor'].includes(caminho))
  return detail === undefined ? { geral: error.message } : { [detail.caminho]: detail.mensagem }
}

/** Reads what belongs to the main line: its connector is a setting of the account. */
export function readMainAgain(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: QUERY_KEYS.config })
  void refreshBotStatus(client).catch(() => undefined)
}

function useFormState(initial: LinhaFields) {
  const [fields, setFields] = useState(initial)
  const [errors, setErrors] = useState<FormErrors>({})
  const [busy, setBusy] = useState(false)
  return {
    ...{ fields, setFields, errors, setErrors, busy, setBusy },
    change: (changed: Partial<LinhaFields>): void => {
      setFields({ ...fields, ...changed })
      setErrors({})
    },
    /** True without a fault that the browser can find. */
    check: (): boolean => {
      const found: FormErrors = fields.nome.trim() === '' ? { nome: 'Dê um nome à linha' } : {}
      setErrors(found)
      return found['nome'] === undefined
    },
  }
}

export type LinhaFormState = ReturnType<typeof useFormState>

export function useNewLinha(conector: ConectorTipo, onCreated: (linha: Linha) => void) {
  const client = useQueryClient()
  const linhas = useLinhas()
  const form = useFormState({ nome: '', conector, cor: freeColor(linhas), setor: '', ativa: true })
  const [limit, setLimit] = useState<LineLimit | null>(null)
  async function create(): Promise<void> {
    if (form.busy || !form.check()) return
    form.setBusy(true)
    try {
      const { nome, cor, setor } = form.fields
      const { linha } = await call(criarLinhaRoute, {
        body: { nome: nome.trim(), conector: form.fields.conector, cor, setor },
      })
      await refreshLinhas(client).catch(() => undefined)
      notify.sucesso(`Linha “${linha.nome}” criada.`)
      onCreated(linha)
    } catch (error) {
      if (error instanceof ApiError && error.codigo === 'limiteLinhas') setLimit(limitOf(error))
      else form.setErrors(linhaErrorsOf(error))
    }
    form.setBusy(false)
  }
  return { ...form, limit, create }
}

function limitOf({ dados: { usado, limite } }: ApiError): LineLimit {
  return { usado, limite }
}

/** Saves the changed fields over the version that was read. After a conflict the edits stay over the new values. */
export function useEditLinha(linha: Linha, onSaved: () => void) {
  const client = useQueryClient()
  const [base, setBase] = useState(linha)
  const [conflict, setConflict] = useState(false)
  const form = useFormState(fieldsOf(linha))
  const changed: Partial<LinhaFields> = changedFields<Partial<LinhaFields>>(form.fields, fieldsOf(base))

  async function readAgain(): Promise<void> {
    const fresh = (await refreshLinhas(client)).find(({ id }) => id === linha.id)
    if (fresh === undefined) return form.setErrors({ geral: 'Esta linha foi excluída em outra janela.' })
    setBase(fresh)
    form.setFields({ ...fieldsOf(fresh), ...changed })
    setConflict(true)
  }

  async function save(): Promise<void> {
    if (form.busy || !form.check()) return
    form.setBusy(true)
    try {
      const body = { ...changed, versao: base.versao }
      const saved = await call(atualizarLinhaRoute, { params: { id: linha.id }, body })
      patchLinha(client, linha.id, () => saved.linha)
      if (linha.principal) readMainAgain(client)
      notify.sucesso('Linha salva.')
      onSaved()
    } catch (error) {
      if (error instanceof ApiError && error.codigo === 'conflito')
        await readAgain().catch((failure: unknown) => form.setErrors(linhaErrorsOf(failure)))
      else form.setErrors(linhaErrorsOf(error))
    }
    form.setBusy(false)
  }
  return { ...form, conflict, changed: Object.keys(changed).length > 0, save }
}

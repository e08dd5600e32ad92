import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { respostasRapidasRoute, salvarRespostasRapidasRoute } from '@balcao/contract/routes/atendimento-equipe'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import type { GapDraft } from '#shared/ia/gap-draft.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import {
  checkRespostas,
  closeRespostasDraft,
  isEqualTo,
  mergeRespostas,
  moveResposta,
  openRespostasDraft,
  putBackResposta,
  rebaseDraft,
  type RespostasDraft,
  type RespostasErrors,
  respostasErrorsOf,
} from './respostas-draft.ts'

/** `versao` identifies the loaded list. A save sends it, so that the server detects conflicts. */
export interface LoadedRespostas {
  readonly respostas: readonly RespostaRapida[]
  readonly versao?: string | undefined
}

const RESPOSTAS_QUERY = queryOptions<LoadedRespostas>({
  queryKey: ['atendimento', 'respostas-rapidas'],
  queryFn: ({ signal }) => call(respostasRapidasRoute, { signal }),
  networkMode: 'always',
})

export function useRespostas() {
  return useQuery(RESPOSTAS_QUERY)
}

export const respostaFieldName = (key: string, field: 'atalho' | 'texto'): string => `${field}-${key}`

/** After the next frame: the line may not be mounted or moved yet. */
function focusField(key: string, field: 'atalho' | 'texto'): void {
  requestAnimationFrame(() => document.getElementsByName(respostaFieldName(key, field))[0]?.focus())
}

const NO_ERRORS: RespostasErrors = {}
const MERGED_TEXT = 'Respostas rápidas salvas, junto com o que outra pessoa salvou há pouco.'
const CHECK_TEXT = 'Outra pessoa também mudou estas respostas. Confira o que está marcado e salve de novo.'

interface EditorState {
  /** The server's list that the draft started from. */
  readonly base: LoadedRespostas
  readonly draft: RespostasDraft
  readonly errors: RespostasErrors
  readonly setBase: (base: LoadedRespostas) => void
  readonly setDraft: Dispatch<SetStateAction<RespostasDraft>>
  readonly setErrors: (errors: RespostasErrors) => void
}

function useSaveRespostas({ base, draft, setBase, setDraft, setErrors }: EditorState, changed: boolean) {
  const client = useQueryClient()
  const [saving, setSaving] = useState(false)

  const store = async (written: RespostasDraft, { versao }: LoadedRespostas): Promise<LoadedRespostas> => {
    const body = { respostas: closeRespostasDraft(written), ...(versao === undefined ? {} : { versao }) }
    const saved = await call(salvarRespostasRapidasRoute, { body })
    client.setQueryData(RESPOSTAS_QUERY.queryKey, saved)
    return saved
  }

  const refuse = (errors: RespostasErrors, written = draft): boolean => {
    setErrors(errors)
    const first = written.find(({ key }) => errors[key] !== undefined)
    if (first === undefined) return false
    focusField(first.key, errors[first.key]?.atalho === undefined ? 'texto' : 'atalho')
    return true
  }
  /** On a conflict it merges local edits into the new list and saves again, unless both changed the same line. */
  const send = async (written: RespostasDraft, from: LoadedRespostas, merged = false): Promise<void> => {
    try {
      const saved = await store(written, from)
      setBase(saved)
      setDraft((current) => rebaseDraft(current, written, saved.respostas))
      notify.sucesso(merged ? MERGED_TEXT : 'Respostas rápidas salvas com sucesso!')
    } catch (error) {
      if (!(error instanceof ApiError) || error.codigo !== 'conflito') throw error
      const now = await client.fetchQuery({ ...RESPOSTAS_QUERY, staleTime: 0 })
      if (now.versao === from.versao) throw error
      const merge = (current: RespostasDraft) => mergeRespostas(current, from.respostas, now.respostas)
      const result = merge(written)
      setBase(now)
      setDraft((current) => (current === written ? result.draft : merge(current).draft))
      if (!refuse({ ...checkRespostas(result.draft), ...result.errors }, result.draft)) {
        return await send(result.draft, now, true)
      }
      notify.erro(CHECK_TEXT)
    }
  }
  const save = async (): Promise<void> => {
    if (saving || !changed || refuse(checkRespostas(draft))) return
    setSaving(true)
    try {
      await send(draft, base)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!refuse(respostasErrorsOf(draft, error.dados.detalhes ?? []))) notify.erro(error.message)
    } finally {
      setSaving(false)
    }
  }
  return { saving, save }
}

/** The first words of a question, as a shortcut. */
function atalhoOf(question: string): string {
  const words = foldAccents(question).match(/[a-z0-9]{3,}/g) ?? []
  return words.slice(0, 3).join('-').slice(0, 30)
}

function lineActions({ draft, errors, setDraft, setErrors }: EditorState, announce: (text: string) => void) {
  return {
    add: () => {
      const key = crypto.randomUUID()
      setDraft([...draft, { key, atalho: '', texto: '', setores: [], before: null }])
      focusField(key, 'atalho')
    },
    answerGap: (gap: GapDraft) => {
      const key = crypto.randomUUID()
      const atalho = atalhoOf(gap.rotulo)
      setDraft([...draft, { key, atalho, texto: `Sobre “${gap.rotulo}”: `, setores: [], before: null }])
      focusField(key, 'texto')
    },
    change: (key: string, fields: Partial<RespostaRapida>) => {
      setDraft(draft.map((line) => (line.key === key ? { ...line, ...fields } : line)))
      const { [key]: _solved, ...others } = errors
      setErrors(others)
    },
    move: (key: string, step: -1 | 1) => {
      const moved = moveResposta(draft, key, step)
      setDraft(moved)
      const position = moved.findIndex((line) => line.key === key)
      announce(`/${moved[position]?.atalho ?? ''} na posição ${position + 1} de ${moved.length}`)
    },
    remove: (key: string) => {
      const index = draft.findIndex((line) => line.key === key)
      const line = draft[index]
      if (line === undefined) return
      setDraft(draft.toSpliced(index, 1))
      const neighbour = draft[index + 1] ?? draft[index - 1]
      if (neighbour !== undefined) focusField(neighbour.key, 'atalho')
      const name = line.atalho === '' ? 'Resposta' : `/${line.atalho}`
      notify.sucesso(`${name} removida. Salve para valer.`, {
        action: { label: 'Desfazer', run: () => setDraft((current) => putBackResposta(current, line, index)) },
      })
    },
  }
}

/** Draft of the list with its actions. Server updates replace it only while it is unchanged. */
export function useRespostasEditor(loaded: LoadedRespostas) {
  const [base, setBase] = useState(loaded)
  const [draft, setDraft] = useState<RespostasDraft>(() => openRespostasDraft(loaded.respostas))
  const [errors, setErrors] = useState<RespostasErrors>(NO_ERRORS)
  const [announcement, setAnnouncement] = useState('')
  const state: EditorState = { base, draft, errors, setBase, setDraft, setErrors }
  const changed = !isEqualTo(draft, base.respostas)
  const { saving, save } = useSaveRespostas(state, changed)
  if (!changed && !saving && base !== loaded) {
    setBase(loaded)
    setDraft(openRespostasDraft(loaded.respostas, draft))
  }
  const guard = useUnsavedGuard(changed)
  useHotkeys({ '$mod+s': () => void save() })
  const discard = (): void => {
    setDraft(openRespostasDraft(base.respostas))
    setErrors(NO_ERRORS)
  }
  return { draft, errors, changed, saving, guard, announcement, save, discard, ...lineActions(state, setAnnouncement) }
}

import type { IaConfig } from '@balcao/contract/entities/config'
import type { Prova, ProvaInput, ResultadoProva } from '@balcao/contract/entities/prova'
import {
  atualizarProvaRoute,
  criarProvaRoute,
  excluirProvaRoute,
  executarProvasRoute,
  gerarProvasRoute,
  provasRoute,
} from '@balcao/contract/routes/ia-provas'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'

const PROVAS_KEY = ['ia', 'provas'] as const

export function useProvas() {
  return useQuery<readonly Prova[]>({
    queryKey: PROVAS_KEY,
    queryFn: async ({ signal }) => (await call(provasRoute, { signal })).provas,
    networkMode: 'always',
  })
}

export function useProvaActions() {
  const client = useQueryClient()
  const change = (update: (list: readonly Prova[]) => readonly Prova[]): void => {
    client.setQueryData<readonly Prova[]>(PROVAS_KEY, (list) => (list === undefined ? undefined : update(list)))
  }
  const replace = (fresh: Prova): void => change((list) => list.map((one) => (one.id === fresh.id ? fresh : one)))
  const drop = (id: string): void => change((list) => list.filter((one) => one.id !== id))
  /** `id`: of the question that another window may have deleted. */
  const attempt = async (act: () => Promise<void>, id?: string): Promise<void> => {
    try {
      await act()
    } catch (error) {
      const gone = id !== undefined && error instanceof ApiError && error.status === 404
      if (!gone) return void notify.erro(errorMessage(error))
      drop(id)
      notify.info('Esta pergunta já tinha sido excluída.')
    }
  }
  return {
    /** Rejects with `ApiError`. */
    create: async (written: ProvaInput): Promise<void> => {
      const { prova } = await call(criarProvaRoute, { body: written })
      change((list) => [...list, prova])
      notify.sucesso('Pergunta criada.')
    },
    /** Rejects with `ApiError`. */
    edit: async (id: string, written: ProvaInput): Promise<void> => {
      const { origem: _, transfere = null, ...fields } = written
      replace((await call(atualizarProvaRoute, { params: { id }, body: { ...fields, transfere } })).prova)
      notify.sucesso('Pergunta salva.')
    },
    setObligatory: (id: string, obrigatoria: boolean): Promise<void> =>
      attempt(async () => {
        replace((await call(atualizarProvaRoute, { params: { id }, body: { obrigatoria } })).prova)
        notify.sucesso(obrigatoria ? 'Agora esta pergunta é obrigatória.' : 'Esta pergunta não é mais obrigatória.')
      }, id),
    remove: (id: string): Promise<void> =>
      attempt(async () => {
        await call(excluirProvaRoute, { params: { id } })
        drop(id)
        notify.sucesso('Pergunta excluída.')
      }, id),
    generate: (): Promise<void> =>
      attempt(async () => {
        const { criadas } = await call(gerarProvasRoute, {})
        await client.invalidateQueries({ queryKey: PROVAS_KEY })
        notify.sucesso(generatedText(criadas))
      }),
    applyResults: (resultados: readonly ResultadoProva[], em: string): void => {
      const byId = new Map(resultados.map(({ provaId, ...resultado }) => [provaId, { ...resultado, em }]))
      change((list) => list.map((one) => ({ ...one, resultado: byId.get(one.id) ?? one.resultado })).map(withoutAbsent))
    },
  }
}

/** A question without a result has no such field. */
function withoutAbsent({ resultado, ...prova }: Prova | (Omit<Prova, 'resultado'> & { resultado: undefined })): Prova {
  return resultado === undefined ? prova : { ...prova, resultado }
}

function generatedText(count: number): string {
  if (count === 0) return 'As perguntas já estavam em dia.'
  return count === 1 ? '1 pergunta nova.' : `${count} perguntas novas.`
}

export interface ExamSummary {
  readonly passaram: number
  readonly falharam: number
  readonly tokens: number
}

/** The server asks the provider once for each question, several at once. */
const EXAM_TIMEOUT_MS = 300_000

/** Runs the exam with the settings on screen. A second run asks only what has no result yet. */
export function useExam(ia: IaConfig) {
  const client = useQueryClient()
  const { applyResults } = useProvaActions()
  const [running, setRunning] = useState(false)
  const [summary, setSummary] = useState<ExamSummary | null>(null)
  const [error, setError] = useState<string | null>(null)
  const run = async (): Promise<void> => {
    setRunning(true)
    setError(null)
    try {
      const { resultados, ...sums } = await call(executarProvasRoute, {
        body: { ia: { ...ia, apiKey: ia.apiKey.trim() } },
        timeoutMs: EXAM_TIMEOUT_MS,
      })
      applyResults(resultados, new Date().toISOString())
      setSummary(sums)
    } catch (failure) {
      setError(errorMessage(failure))
      // The server keeps the answers until the failure.
      await client.invalidateQueries({ queryKey: PROVAS_KEY })
    }
    setRunning(false)
  }
  return { running, summary, error, run }
}

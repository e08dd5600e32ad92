import type { IaConfig } from '@balcao/contract/entities/config'
import { testarGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { USAGE_KEY } from '#features/ia/query-keys.ts'
import { focusIaField } from '#features/ia/form/focus-field.ts'

export type TestOutcome =
  | { readonly tipo: 'pensando' }
  | { readonly tipo: 'respondida'; readonly resposta: string; readonly duracaoMs: number }
  | { readonly tipo: 'falhou'; readonly mensagem: string; readonly chave: boolean }

export interface TestRound {
  readonly id: number
  readonly pergunta: string
  readonly outcome: TestOutcome
}

/** The server waits 15 s for the provider, so its own error text arrives before this timeout. */
const TEST_TIMEOUT_MS = 25_000

function failureOf(error: unknown): TestOutcome {
  const code = error instanceof ApiError ? error.codigo : ''
  const mensagem = errorMessage(error)
  return {
    tipo: 'falhou',
    mensagem,
    chave: code === 'iaSemChave' || (code === 'iaFalhou' && /chave|api key/i.test(mensagem)),
  }
}

export function useIaTest(ia: IaConfig) {
  const [rounds, setRounds] = useState<readonly TestRound[]>([])
  const client = useQueryClient()
  const busy = rounds.some(({ outcome }) => outcome.tipo === 'pensando')

  async function run(id: number, pergunta: string): Promise<void> {
    const finish = (outcome: TestOutcome): void =>
      setRounds((current) => current.map((round) => (round.id === id ? { ...round, outcome } : round)))
    try {
      const { resposta, duracaoMs } = await call(testarGeminiRoute, {
        body: { pergunta, ia: { ...ia, apiKey: ia.apiKey.trim() } },
        timeoutMs: TEST_TIMEOUT_MS,
      })
      finish({ tipo: 'respondida', resposta, duracaoMs })
      notify.sucesso('Teste da IA concluído!')
    } catch (error) {
      finish(failureOf(error))
      notify.erro(`Erro ao testar IA: ${errorMessage(error)}`)
    }
    void client.invalidateQueries({ queryKey: USAGE_KEY })
  }

  /** Returns whether the question was sent. */
  function ask(written: string): boolean {
    const pergunta = written.trim()
    if (busy) return false
    if (ia.apiKey.trim() === '') {
      focusIaField('apiKey')
      notify.erro('Configure uma API Key válida primeiro')
      return false
    }
    if (pergunta === '') {
      notify.erro('Digite uma pergunta para testar')
      return false
    }
    const id = rounds.length
    setRounds([...rounds, { id, pergunta, outcome: { tipo: 'pensando' } }])
    void run(id, pergunta)
    return true
  }

  /** Repeats a question in its row with the current settings. */
  function repeat({ id, pergunta }: TestRound): void {
    if (busy) return
    setRounds(rounds.map((round) => (round.id === id ? { ...round, outcome: { tipo: 'pensando' } } : round)))
    void run(id, pergunta)
  }

  return { rounds, busy, ask, repeat, clear: () => setRounds([]) }
}

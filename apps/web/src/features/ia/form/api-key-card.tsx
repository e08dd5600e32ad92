import { AiStudioLink } from '#shared/ia/ai-studio-link.tsx'
import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { focusIaField, type IaForm, MODELS_KEY } from './use-ia-form.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { modelosGeminiRoute, validarGeminiRoute } from '@balcao/contract/routes/gemini'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'

/** Models to choose from. A list from the provider also proves that the stored key is valid. */
export function useModels() {
  return useQuery({
    queryKey: MODELS_KEY,
    queryFn: ({ signal }) => call(modelosGeminiRoute, { signal }),
    retry: false,
  })
}

const KEY_STATE = {
  nenhum: { Icon: CircleDashed, color: 'text-muted' },
  valida: { Icon: CircleCheck, color: 'text-brand-ink' },
  invalida: { Icon: CircleX, color: 'text-danger-ink' },
  erro: { Icon: CircleAlert, color: 'text-warn-ink' },
} as const

function describeKeyState(state: KeyState, apiKey: string, stored: string): string {
  switch (state) {
    case 'valida':
      return 'Chave válida'
    case 'invalida':
      return 'Chave inválida'
    case 'erro':
      return 'Não foi possível testar a chave'
    case 'nenhum':
      if (apiKey === '') return 'Sem chave'
      return apiKey === stored ? 'Chave guardada' : 'Chave ainda não testada'
    default:
      return state satisfies never
  }
}

export function ApiKeyCard({ form }: { form: IaForm }) {
  const { ia, change, errors, storedKey, restoreId } = form
  const apiKey = ia.apiKey.trim()
  const { state, reason, testing, test } = useKeyTest({ apiKey, stored: storedKey, restoreId })
  const { Icon, color } = KEY_STATE[state]
  return (
    <div>
      <form
        className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          void test()
        }}
      >
        <PasswordField
          name="apiKey"
          label="API Key"
          value={ia.apiKey}
          error={errors['apiKey']}
          className="min-h-11"
          autoComplete="off"
          spellCheck={false}
          maxLength={512}
          placeholder="Cole a chave do Gemini"
          onChange={({ currentTarget }) => change({ apiKey: currentTarget.value })}
          onFocus={({ currentTarget }) => {
            if (currentTarget.value !== '' && currentTarget.value === storedKey) currentTarget.select()
          }}
        />

        <Button type="submit" className="min-h-11 sm:mt-[1.55rem] sm:self-start" busy={testing}>
          {testing ? 'Testando…' : 'Testar'}
        </Button>
      </form>
      <p role="status" className={`mt-2 flex items-start gap-2 text-sm font-semibold ${color}`}>
        <Icon size={16} aria-hidden className="mt-0.5 flex-none" />
        <span>{describeKeyState(state, apiKey, storedKey)}</span>
      </p>
      {reason !== '' && state === 'erro' && <p className="mt-1 pl-6 text-sm text-muted">{reason}</p>}
      {state === 'invalida' && (
        <p className="mt-1 pl-6 text-sm text-muted">Confira se a chave foi copiada inteira, sem espaços.</p>
      )}
      {apiKey === '' && (
        <p className="mt-2 text-sm text-muted">
          Para usar a IA, crie uma chave no <AiStudioLink />, cole acima e clique em Testar.
        </p>
      )}
    </div>
  )
}

type KeyState = 'nenhum' | 'valida' | 'invalida' | 'erro'

interface KeyTestResult {
  readonly key: string
  readonly state: KeyState
  readonly reason: string
  readonly restoreId: object | undefined
}

interface KeyUnderTest {
  readonly apiKey: string
  readonly stored: string
  /** "Restaurar" resets the known state of the key. */
  readonly restoreId: object | undefined
}

const KEY_REFUSED = 'API Key inválida'

/**
 * Tests a key at the provider. The stored key counts as valid if it fetched the model list.
 * An unreachable provider gives no result about the key.
 */
function useKeyTest({ apiKey, stored, restoreId }: KeyUnderTest) {
  const [result, setResult] = useState<KeyTestResult | null>(null)
  const { data: models } = useModels()
  const [testing, setTesting] = useState(false)
  const client = useQueryClient()

  function finish(state: KeyState, reason = ''): void {
    setResult({ key: apiKey, state, reason, restoreId })
    if (state === 'valida') notify.sucesso('API Key válida!')
    else notify.erro(state === 'invalida' ? KEY_REFUSED : `Erro ao validar API Key: ${reason}`)
  }

  async function test(): Promise<void> {
    if (testing) return
    if (apiKey === '') {
      focusIaField('apiKey')
      return void notify.erro('Digite uma API Key para testar')
    }
    setTesting(true)
    try {
      const { valida, erro = KEY_REFUSED } = await call(validarGeminiRoute, { body: { apiKey } })
      finish(valida ? 'valida' : erro === KEY_REFUSED ? 'invalida' : 'erro', erro)
      if (valida) void client.invalidateQueries({ queryKey: MODELS_KEY })
    } catch (error) {
      finish('erro', errorMessage(error))
    }
    setTesting(false)
  }

  const storedWorks = models?.doProvedor === true
  return { ...currentResult({ apiKey, stored, restoreId }, result, storedWorks), testing, test }
}

function currentResult(
  { apiKey, stored, restoreId }: KeyUnderTest,
  result: KeyTestResult | null,
  storedWorks: boolean,
) {
  if (result?.key === apiKey && result.restoreId === restoreId) return { state: result.state, reason: result.reason }
  const works = storedWorks && apiKey !== '' && apiKey === stored && restoreId === undefined
  const state: KeyState = works ? 'valida' : 'nenhum'
  return { state, reason: '' }
}

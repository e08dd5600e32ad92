import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { keyFieldOf, keyOf, ofProvider, withKey } from './provider-fields.ts'
import { focusIaField, type IaForm, MODELS_KEY } from './use-ia-form.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FATOS_PROVEDOR, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import { modelosGeminiRoute, validarGeminiRoute } from '@balcao/contract/routes/gemini'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'

/** Models to choose from. A list from the provider also proves that the stored key is valid. */
export function useModels(provedor: ProvedorIa) {
  return useQuery({
    queryKey: [...MODELS_KEY, provedor],
    queryFn: ({ signal }) => call(modelosGeminiRoute, { query: { provedor }, signal }),
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
  const { provedor, urlBase } = ia
  const typed = keyOf(ia)
  const apiKey = typed.trim()
  const keyTest = { provedor, urlBase: urlBase.trim(), apiKey, stored: storedKey, restoreId, field: keyFieldOf(ia) }
  const { state, reason, testing, test } = useKeyTest(keyTest)
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
          name={keyFieldOf(ia)}
          label="API Key"
          value={typed}
          error={errors[keyFieldOf(ia)]}
          className="min-h-11"
          autoComplete="off"
          spellCheck={false}
          maxLength={512}
          placeholder={provedor === 'compativel' ? 'Só se o endereço pedir' : `Cole a chave ${ofProvider(provedor)}`}
          onChange={({ currentTarget }) => change(withKey(currentTarget.value))}
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
      {apiKey === '' && <KeyPage provedor={provedor} />}
    </div>
  )
}

function KeyPage({ provedor }: { provedor: ProvedorIa }) {
  const { nome, paginaDaChave } = FATOS_PROVEDOR[provedor]
  if (paginaDaChave === '') return null
  return (
    <p className="mt-2 text-sm text-muted">
      Para usar a IA, crie uma chave {provedor === 'gemini' ? 'no ' : 'na '}
      <a
        href={paginaDaChave}
        target="_blank"
        rel="noopener noreferrer"
        className="font-semibold text-brand-ink underline"
      >
        {provedor === 'gemini' ? 'Google AI Studio' : `página da ${nome}`}
      </a>
      , cole acima e clique em Testar.
    </p>
  )
}

type KeyState = 'nenhum' | 'valida' | 'invalida' | 'erro'

interface KeyTestResult {
  readonly provedor: ProvedorIa
  readonly key: string
  readonly state: KeyState
  readonly reason: string
  readonly restoreId: object | undefined
}

interface KeyUnderTest {
  readonly provedor: ProvedorIa
  readonly urlBase: string
  readonly field: string
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
function useKeyTest({ provedor, urlBase, field, apiKey, stored, restoreId }: KeyUnderTest) {
  const [result, setResult] = useState<KeyTestResult | null>(null)
  const { data: models } = useModels(provedor)
  const [testing, setTesting] = useState(false)
  const client = useQueryClient()

  function finish(state: KeyState, reason = ''): void {
    setResult({ provedor, key: apiKey, state, reason, restoreId })
    if (state === 'valida') notify.sucesso('API Key válida!')
    else notify.erro(state === 'invalida' ? KEY_REFUSED : `Erro ao validar API Key: ${reason}`)
  }

  async function test(): Promise<void> {
    if (testing) return
    if (apiKey === '' && provedor !== 'compativel') {
      focusIaField(field)
      return void notify.erro('Digite uma API Key para testar')
    }
    setTesting(true)
    try {
      const { valida, erro = KEY_REFUSED } = await call(validarGeminiRoute, {
        body: { provedor, apiKey, ...(provedor === 'compativel' ? { urlBase } : {}) },
      })
      finish(valida ? 'valida' : erro === KEY_REFUSED ? 'invalida' : 'erro', erro)
      if (valida) void client.invalidateQueries({ queryKey: MODELS_KEY })
    } catch (error) {
      finish('erro', errorMessage(error))
    }
    setTesting(false)
  }

  const storedWorks = models?.doProvedor === true
  return { ...currentResult({ provedor, apiKey, stored, restoreId }, result, storedWorks), testing, test }
}

function currentResult(
  { provedor, apiKey, stored, restoreId }: Omit<KeyUnderTest, 'urlBase' | 'field'>,
  result: KeyTestResult | null,
  storedWorks: boolean,
) {
  const isCurrent = result?.provedor === provedor && result.key === apiKey && result.restoreId === restoreId
  if (isCurrent) return { state: result.state, reason: result.reason }
  const works = storedWorks && apiKey !== '' && apiKey === stored && restoreId === undefined
  const state: KeyState = works ? 'valida' : 'nenhum'
  return { state, reason: '' }
}

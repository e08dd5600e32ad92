import { AiStudioLink } from '#shared/ia/ai-studio-link.tsx'
import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import type { IaForm } from './use-ia-form.ts'
import { type KeyState, useKeyTest } from './use-key-test.ts'

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

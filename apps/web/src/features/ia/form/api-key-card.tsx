import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import type { IaForm } from './use-ia-form.ts'
import { type KeyState, useKeyTest } from './use-key-test.ts'

const KEY_STATE = {
  nenhum: { Icone: CircleDashed, cor: 'text-muted' },
  valida: { Icone: CircleCheck, cor: 'text-brand-ink' },
  invalida: { Icone: CircleX, cor: 'text-danger-ink' },
  erro: { Icone: CircleAlert, cor: 'text-warn-ink' },
} as const

function describeKeyState(state: KeyState, apiKey: string, guardada: string): string {
  switch (state) {
    case 'valida':
      return 'Chave válida'
    case 'invalida':
      return 'Chave inválida'
    case 'erro':
      return 'Não foi possível testar a chave'
    case 'nenhum':
      if (apiKey === '') return 'Sem chave'
      return apiKey === guardada ? 'Chave guardada' : 'Chave ainda não testada'
    default:
      return state satisfies never
  }
}

export function ApiKeyCard({ formulario }: { formulario: IaForm }) {
  const { ia, mudar, erros, chaveGuardada: guardada, restauro } = formulario
  const apiKey = ia.apiKey.trim()
  const { estado, motivo, testando, testar } = useKeyTest({ apiKey, stored: guardada, restoreId: restauro })
  const { Icone, cor } = KEY_STATE[estado]
  return (
    <div>
      <form
        className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          void testar()
        }}
      >
        <PasswordField
          name="apiKey"
          label="API Key"
          value={ia.apiKey}
          error={erros['apiKey']}
          className="min-h-11"
          autoComplete="off"
          spellCheck={false}
          maxLength={512}
          placeholder="Cole a chave do Gemini"
          onChange={({ currentTarget }) => mudar({ apiKey: currentTarget.value })}
          onFocus={({ currentTarget }) => {
            if (currentTarget.value !== '' && currentTarget.value === guardada) currentTarget.select()
          }}
        />

        <Button type="submit" className="min-h-11 sm:mt-[1.55rem] sm:self-start" busy={testando}>
          {testando ? 'Testando…' : 'Testar'}
        </Button>
      </form>
      <p role="status" className={`mt-2 flex items-start gap-2 text-sm font-semibold ${cor}`}>
        <Icone size={16} aria-hidden className="mt-0.5 flex-none" />
        <span>{describeKeyState(estado, apiKey, guardada)}</span>
      </p>
      {motivo !== '' && estado === 'erro' && <p className="mt-1 pl-6 text-sm text-muted">{motivo}</p>}
      {estado === 'invalida' && (
        <p className="mt-1 pl-6 text-sm text-muted">Confira se a chave foi copiada inteira, sem espaços.</p>
      )}
      {apiKey === '' && (
        <p className="mt-2 text-sm text-muted">
          Para usar a IA, crie uma chave no{' '}
          <a
            href="https://aistudio.google.com/apikey"
            target="_blank"
            rel="noopener noreferrer"
            className="font-semibold text-brand-ink underline"
          >
            Google AI Studio
          </a>
          , cole acima e clique em Testar.
        </p>
      )}
    </div>
  )
}

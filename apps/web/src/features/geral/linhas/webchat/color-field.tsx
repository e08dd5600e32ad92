import { Field } from '#shared/ui/field.tsx'

interface ColorFieldProps {
  readonly cor: string
  readonly error: string | undefined
  readonly onChange: (cor: string) => void
}

const HEX = /^#[0-9a-f]{6}$/

export const isHexColor = (text: string): boolean => HEX.test(text)

/** The browser's colour picker, beside the value for shops that know theirs. */
export function ColorField({ cor, error, onChange }: ColorFieldProps) {
  return (
    <Field
      label="Cor do chat"
      error={error}
      hint="A cor da sua loja. O texto fica branco ou preto, o que se ler melhor."
    >
      {(link) => (
        <span className="flex gap-2">
          <input
            type="color"
            aria-label="Escolher a cor"
            value={isHexColor(cor) ? cor : '#000000'}
            className="btn btn-outline btn-icon p-1"
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <input
            {...link}
            className="field max-w-40 font-mono text-sm"
            value={cor}
            maxLength={7}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ currentTarget }) => onChange(currentTarget.value.trim().toLowerCase())}
          />
        </span>
      )}
    </Field>
  )
}

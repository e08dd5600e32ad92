import { Link } from '@tanstack/react-router'

export function IaOffNotice({ numeros }: { numeros: readonly string[] }) {
  const quem = numeros.length === 1 ? `A opção ${numeros[0]} chama` : `As opções ${numeros.join(', ')} chamam`
  return (
    <p className="mt-3 rounded-xl bg-warn-soft px-3 py-2 text-sm text-warn-ink">
      {quem} a IA, que está desligada: o cliente recebe “Não entendi” e o menu de novo.{' '}
      <Link to="/dashboard" search={{ aba: 'ia' }} className="font-semibold underline">
        Ligar a IA
      </Link>
    </p>
  )
}

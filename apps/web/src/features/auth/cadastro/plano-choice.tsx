import type { Plano } from '@balcao/contract/constants'
import { Link } from '@tanstack/react-router'

const PLANO_WITH_PRICE: Readonly<Record<Plano, string>> = {
  gratuito: 'Gratuito, R$ 0',
  doacao: 'Doação, R$ 10,00 por mês',
}
const OTHER: Readonly<Record<Plano, { readonly plano: Plano; readonly action: string }>> = {
  gratuito: { plano: 'doacao', action: 'Trocar para Doação' },
  doacao: { plano: 'gratuito', action: 'Trocar para Gratuito' },
}

/** The plan wished on the landing page. It stays in the address, so that a reload keeps it. */
export function PlanoChoice({ plano }: { plano: Plano }) {
  const other = OTHER[plano]
  return (
    <div className="rounded-card border border-line px-4 py-3 text-sm">
      <p aria-live="polite">
        Plano escolhido: <strong>{PLANO_WITH_PRICE[plano]}</strong>
      </p>
      <p className="mt-1 text-muted">O administrador aplica o plano à sua conta.</p>
      <Link
        to="/register"
        search={{ plano: other.plano }}
        replace
        resetScroll={false}
        className="mt-1 inline-flex min-h-8 items-center font-semibold text-brand-ink underline underline-offset-4"
      >
        {other.action}
      </Link>
      <input type="hidden" name="planoDesejado" value={plano} />
    </div>
  )
}

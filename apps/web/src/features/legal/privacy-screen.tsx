import { LegalLayout } from './legal-layout.tsx'
import { PRIVACY_CLAUSES } from './privacy-text.tsx'

export function PrivacyScreen() {
  return (
    <LegalLayout
      title="Política de privacidade"
      summary="Quais dados o Balcão guarda, por quê, por quanto tempo e como você manda neles."
      effectiveDate="1º de novembro de 2025"
      clauses={PRIVACY_CLAUSES}
      otherPage={{ to: '/terms', rotulo: 'Termos de uso' }}
    />
  )
}

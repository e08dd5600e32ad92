import { join } from 'node:path'
import { loadSecretFile } from '#lib/durable-files.ts'
import { parseSecrets } from './vault.ts'

const SHORT = 32

/**
 * Loads APP_SECRET from the environment or generates it in the data folder (mode 0600). Throws a Portuguese
 * sentence when it cannot be used. `warn` receives one when it is short.
 */
export function loadAppSecret(
  dataDir: string,
  fromEnv: string | undefined,
  warn: (sentence: string) => void = () => undefined,
): string {
  const secret = fromEnv ?? loadSecretFile(join(dataDir, 'app-secret'))
  if (parseSecrets(secret).some(({ valor }) => valor.length < SHORT)) {
    warn(`APP_SECRET tem uma chave com menos de ${SHORT} caracteres. Troque-a por uma maior com npm run db:reseal.`)
  }
  return secret
}

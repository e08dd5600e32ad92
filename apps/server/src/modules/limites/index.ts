export {
  quotaCte,
  type QuotaRow,
  quotaRowSchema,
  quotaSelect,
  remainingToday,
  resetDayUse,
  sumOldDay,
} from './day-use.ts'
export { type LimiteDeps, recordLimitReached, recordQuota, reserveOneMensagem, reserveQuota } from './quota.ts'
